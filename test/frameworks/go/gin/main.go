// A bike shop with gin, described by swag. People sign in with a key in the header Authorization. `go tool swag init -g
// main.go -d gin -o gin/docs --outputTypes go` writes docs.
package main

import (
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
	swaggerfiles "github.com/swaggo/files"
	ginswagger "github.com/swaggo/gin-swagger"

	_ "shops/gin/docs"
)

var received = []gin.H{}

func note(context *gin.Context, values gin.H) {
	received = append(received, values)
	context.JSON(http.StatusOK, gin.H{})
}

func idOf(context *gin.Context) int {
	id, _ := strconv.Atoi(context.Param("id"))
	return id
}

// Bike is what the shop sells.
type Bike struct {
	Name  string   `json:"name" binding:"required"`
	Gears int      `json:"gears"`
	Tags  []string `json:"tags"`
} // @name Bike

// Purge says which bikes go.
type Purge struct {
	Before string `json:"before" binding:"required" format:"date"`
} // @name Purge

// whoAmI godoc
// @Summary Say who is signed in
// @Tags me
// @Security ApiKeyAuth
// @Success 200
// @Router /me [get]
func whoAmI(context *gin.Context) { note(context, gin.H{"op": "me", "person": "ana"}) }

// listBikes godoc
// @Summary List bikes
// @Tags bikes
// @Security ApiKeyAuth
// @Param color query []string false "The colors" collectionFormat(multi)
// @Param limit query int false "How many"
// @Success 200
// @Router /bikes [get]
func listBikes(context *gin.Context) {
	limit, _ := strconv.Atoi(context.Query("limit"))
	note(context, gin.H{"op": "list", "colors": context.QueryArray("color"), "limit": limit})
}

func bikeOf(context *gin.Context) (bike Bike, isFine bool) {
	if err := context.ShouldBindJSON(&bike); err != nil {
		context.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return bike, false
	}
	return bike, true
}

// createBike godoc
// @Summary Create a bike
// @Tags bikes
// @Security ApiKeyAuth
// @Accept json
// @Param bike body Bike true "The bike"
// @Success 200
// @Router /bikes [post]
func createBike(context *gin.Context) {
	if bike, isFine := bikeOf(context); isFine {
		note(context, gin.H{"op": "create", "name": bike.Name, "gears": bike.Gears, "tags": bike.Tags})
	}
}

// purgeBikes godoc
// @Summary Throw old bikes away
// @Tags bikes
// @Security ApiKeyAuth
// @Accept json
// @Param purge body Purge true "Which"
// @Success 200
// @Router /bikes/purge [post]
func purgeBikes(context *gin.Context) {
	var purge Purge
	if err := context.ShouldBindJSON(&purge); err != nil {
		context.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	note(context, gin.H{"op": "purge", "before": purge.Before})
}

// getBike godoc
// @Summary Get a bike
// @Tags bikes
// @Security ApiKeyAuth
// @Param id path int true "The bike"
// @Success 200
// @Router /bikes/{id} [get]
func getBike(context *gin.Context) { note(context, gin.H{"op": "get", "id": idOf(context)}) }

// replaceBike godoc
// @Summary Replace a bike
// @Tags bikes
// @Security ApiKeyAuth
// @Accept json
// @Param id path int true "The bike"
// @Param bike body Bike true "The new bike"
// @Success 200
// @Router /bikes/{id} [put]
func replaceBike(context *gin.Context) {
	if bike, isFine := bikeOf(context); isFine {
		values := gin.H{"op": "replace", "id": idOf(context)}
		values["name"], values["gears"], values["tags"] = bike.Name, bike.Gears, bike.Tags
		note(context, values)
	}
}

// deleteBike godoc
// @Summary Delete a bike
// @Tags bikes
// @Security ApiKeyAuth
// @Param id path int true "The bike"
// @Success 200
// @Router /bikes/{id} [delete]
func deleteBike(context *gin.Context) { note(context, gin.H{"op": "delete", "id": idOf(context)}) }

// addPhoto godoc
// @Summary Add a photo
// @Tags bikes
// @Security ApiKeyAuth
// @Accept multipart/form-data
// @Param id path int true "The bike"
// @Param photo formData file true "The photo"
// @Param caption formData string false "What it shows"
// @Success 200
// @Router /bikes/{id}/photo [post]
func addPhoto(context *gin.Context) {
	file, _, err := context.Request.FormFile("photo")
	if err != nil {
		context.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	content, _ := io.ReadAll(file)
	caption := context.PostForm("caption")
	note(context, gin.H{"op": "photo", "id": idOf(context), "photo": string(content), "caption": caption})
}

func signedIn(context *gin.Context) {
	if context.GetHeader("Authorization") != "token-of-ana" {
		context.AbortWithStatusJSON(http.StatusUnauthorized, gin.H{"error": "Not authenticated"})
	}
}

// @title Bike shop
// @version 1
// @securityDefinitions.apikey ApiKeyAuth
// @in header
// @name Authorization
func main() {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/received", func(context *gin.Context) { context.JSON(http.StatusOK, received) })
	router.GET("/swagger/*any", ginswagger.WrapHandler(swaggerfiles.Handler))
	shop := router.Group("/", signedIn)
	shop.GET("/me", whoAmI)
	shop.GET("/bikes", listBikes)
	shop.POST("/bikes", createBike)
	shop.POST("/bikes/purge", purgeBikes)
	shop.GET("/bikes/:id", getBike)
	shop.PUT("/bikes/:id", replaceBike)
	shop.DELETE("/bikes/:id", deleteBike)
	shop.POST("/bikes/:id/photo", addPhoto)
	panic(router.Run("127.0.0.1:" + os.Getenv("PORT")))
}
